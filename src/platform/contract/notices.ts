import { abilities } from '../../accounts/teams/roles.ts'
import { array, nullable, object } from '../../http/schema/containers.ts'
import { boolean, oneOf, string } from '../../http/schema/scalars.ts'
import { described } from '../../http/schema/schema.ts'
import { limitNames } from '../../store/limit-names.ts'
import { noticeKinds } from './notice-kinds.ts'
import { get, member, owner } from './operation.ts'
import { count, time } from './scalars.ts'
import type { Shape } from './shape.ts'

const notice = object({
  id: described('The same as long as it is about the same: a page remembers which were dismissed.', string()),
  kind: oneOf(...noticeKinds),
  subject: described('Name of the key, model or upstream; null: the organisation or the server.', nullable(string())),
  keyId: nullable(string()),
  isUpstream: boolean,
  limit: described('Of a budget.', nullable(oneOf(...limitNames))),
  percent: described('Of a budget.', nullable(count)),
  at: described('When the key expires, or the budget is reset.', nullable(time)),
})
export type Notice = Shape<typeof notice>

const checklist = object({
  https: boolean,
  twoFactor: described('The owner signs in with a second factor or a passkey.', boolean),
  limits: described('Newcomers cannot use up the server.', boolean),
  mail: boolean,
  invited: described('There is another account.', boolean),
  backedUpAt: described('Time of the last `helix backup`; null if none is known.', nullable(time)),
  model: described('Another model than the one that comes with the server.', boolean),
})
export type Checklist = Shape<typeof checklist>

export const noticeOperations = {
  listNotices: get('/notices', member(abilities.see), 'Lists what the members of the organisation should know now.', {
    answer: object({ data: array(notice) }),
  }),
  showChecklist: get('/admin/checklist', owner, 'Shows which first steps the owner of the server has taken.', {
    answer: checklist,
  }),
}
