import { expect, test } from 'vitest'
import { words as admin } from '../../languages/ja/admin.ts'
import { words as auth } from '../../languages/ja/auth.ts'
import { words as app } from '../../languages/ja/console.ts'
import { words as publicPages } from '../../languages/ja/public-pages.ts'
import { words as server } from '../../languages/ja/server.ts'
import { descriptions } from '../../languages/ja/settings/descriptions.ts'
import { values } from '../../languages/ja/settings/values.ts'

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

const texts = [
  ...textsIn({ ...app, ...admin }, 'app'),
  ...textsIn(publicPages, 'public'),
  ...textsIn(auth, 'auth'),
  ...textsIn(server, 'server'),
  ...textsIn({ descriptions, values }, 'settings'),
]

test('管理者 is the role in an organisation, never the owner of the server', () => {
  const places = texts.filter(([, text]) => text.includes('管理者')).map(([place]) => place)
  expect(places.toSorted()).toEqual([
    'app.audit.adminsOnly',
    'app.errors.role_too_low',
    'app.keys.notYours',
    'app.team.handOverConsequence',
    'app.team.handOverText',
    'app.team.roles.admin',
    'app.webhooks.adminsOnly',
    'app.webhooks.channels.mail',
    'auth.errors.role_too_low',
    'auth.roles.admin',
    'server.mail.event.ofOrganisation',
  ])
})

const offending = (pattern: RegExp): string[] =>
  texts.filter(([, text]) => pattern.test(text)).map(([place, text]) => `${place}: ${text}`)

test('one thing has one name', () => {
  expect(offending(/応答/)).toEqual([])
  expect(offending(/プロンプト/)).toEqual([])
  expect(offending(/二要素|引き継|切り替え中/)).toEqual([])
})

test('a question in a dialog ends with a question mark', () => {
  expect(offending(/(ます|です|せん)か$/)).toEqual([])
})

test('long vowels are written, figures are narrow, and no space stands between Japanese and Latin letters', () => {
  expect(offending(/(サーバ|ブラウザ|ポインタ|パラメータ|ユーザ|フォルダ|ヘッダ|エラ)(?!ー)/)).toEqual([])
  expect(offending(/[０-９Ａ-Ｚａ-ｚ]/)).toEqual([])
  expect(offending(/[ぁ-んァ-ヶ一-龠] [A-Za-z]|[A-Za-z] [ぁ-んァ-ヶ一-龠]/)).toEqual([])
})
