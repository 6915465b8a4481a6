import type { Words } from '../../../languages/words.ts'
import type { Lede } from './lede.ts'

export const teamLede = (people: number, openInvitations: number, { team }: Pick<Words, 'team'>): Lede => [
  { strong: team.people(people) },
  ' ',
  { muted: team.openInvitations(openInvitations) },
]
