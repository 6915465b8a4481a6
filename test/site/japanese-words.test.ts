import { expect, test } from 'vitest'
import { ja as gate } from '../../site/words/gate/ja.ts'
import { ja as app } from '../../site/words/ja.ts'
import { ja as publicPages } from '../../site/words/public/ja.ts'

/** Every text with its place. */
const textsIn = (words: unknown, place: string): [string, string][] => {
  if (typeof words === 'string') return [[place, words]]
  if (typeof words === 'function') return textsIn(callWith(words), place)
  if (typeof words !== 'object' || words === null) return []
  return Object.entries(words).flatMap(([name, value]) => textsIn(value, `${place}.${name}`))
}

/** A text of several parts is written from its arguments; those here are as good as any. */
const callWith = (words: unknown): unknown => {
  try {
    return Reflect.apply(words as () => unknown, undefined, ['3', '4', '5', '6'])
  } catch {
    return ''
  }
}

const texts = [...textsIn(app, 'app'), ...textsIn(publicPages, 'public'), ...textsIn(gate, 'gate')]

test('管理者 is the role in an organisation, never the owner of the server', () => {
  const places = texts.filter(([, text]) => text.includes('管理者')).map(([place]) => place)
  expect(places.toSorted()).toEqual([
    'app.audit.adminsOnly',
    'app.faults.role_too_low',
    'app.keys.notYours',
    'app.team.handOverConsequence',
    'app.team.handOverText',
    'app.team.roles.admin',
    'gate.roles.admin',
  ])
})
