import { abilities } from '../../accounts/teams/roles.ts'
import { array, nullable, object } from '../../http/schema/containers.ts'
import { boolean, oneOf, string } from '../../http/schema/scalars.ts'
import { described } from '../../http/schema/schema.ts'
import { byField } from '../../http/schema/variants.ts'
import type { Shape } from '../../operations/shape.ts'
import { limitNames } from '../../store/limit-names.ts'
import { noticeKinds } from './notice-kinds.ts'
import { get, member, owner, post, session } from './operation.ts'
import { count, time } from './scalars.ts'

const notice = object({
  id: described('The same as long as it is about the same: the account remembers which it dismissed.', string()),
  kind: oneOf(...noticeKinds),
  subject: described('Name of the key, model or upstream; null: the organisation or the server.', nullable(string())),
  keyId: nullable(string()),
  isUpstream: boolean,
  limit: described('Of a budget.', nullable(oneOf(...limitNames))),
  percent: described('Of a budget.', nullable(count)),
  used: described('Of a budget: tokens, requests or millionths of the currency.', nullable(count)),
  max: described('The budget itself, in the same unit.', nullable(count)),
  at: described('When the key expires, or the budget is reset.', nullable(time)),
})
export type Notice = Shape<typeof notice>

/** Of the account, in all of its organisations. */
export const noticeChoices = object({
  off: described('Kinds that are switched off.', array(oneOf(...noticeKinds))),
  dismissed: described('The ids of notices that were dismissed: the last 200.', array(string())),
  hidesChecklist: boolean,
})
export type NoticeChoices = Shape<typeof noticeChoices>

const noticeList = object({
  data: array(notice),
  choices: described('What the account has hidden.', noticeChoices),
})
export type NoticeList = Shape<typeof noticeList>

const isHidden = boolean
const noticeChange = byField('what', {
  kind: object({ what: oneOf('kind'), kind: oneOf(...noticeKinds), isHidden }),
  notice: object({ what: oneOf('notice'), id: string({ minLength: 1, maxLength: 300 }), isHidden }),
  checklist: object({ what: oneOf('checklist'), isHidden }),
})
export type NoticeChange = Shape<typeof noticeChange>

const checklist = object({
  https: boolean,
  twoFactor: described('The owner signs in with a second factor or a passkey.', boolean),
  limits: described('Newcomers cannot use up the server.', boolean),
  mail: boolean,
  invited: described('There is another account.', boolean),
  backedUpAt: described('Time of the last `helix backup`; null if none is known.', nullable(time)),
  usesPostgres: described('The data is in PostgreSQL, which `helix backup` does not back up.', boolean),
  model: described('Another model than the one that comes with the server.', boolean),
})
export type Checklist = Shape<typeof checklist>

export const noticeOperations = {
  listNotices: get('/notices', member(abilities.see), 'Lists what the members of the organisation should know now.', {
    answer: noticeList,
  }),
  changeNotices: post(
    '/notices/choices',
    session,
    'Hides a kind of notices, one notice or the first steps, or shows it again.',
    {
      body: noticeChange,
      answer: noticeChoices,
    },
  ),
  showChecklist: get('/admin/checklist', owner, 'Shows which first steps the owner of the server has taken.', {
    answer: checklist,
  }),
}
