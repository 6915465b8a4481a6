import { expect, test } from 'vitest'
import { checkName } from './check-name.ts'

test.each(['', '  ', '\u200b', '\u3164', '\u2800 \u00ad', '\ufeff\u200d'])(
  '%j shows nothing and is no name',
  (name) => {
    expect(checkName(name).outcome).toBe('refused')
  },
)

test.each(['a', '鍵', '👩‍👩‍👧', 'نام‌ها', '=1', '.'])('%j is a name', (name) => {
  expect(checkName(` ${name} `)).toEqual({ outcome: 'accepted', name })
})
