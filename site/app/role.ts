import { abilities } from '../../src/accounts/teams/roles.ts'
import { reaches } from '../../src/store/decide-member-change.ts'
import { useSession } from './session.ts'

type Ability = keyof typeof abilities

/** Whether the reader's role allows it in the organisation that is shown. The server decides by the same table. */
export const useMay = (): ((ability: Ability) => boolean) => {
  const { role } = useSession().organisation
  return (ability) => reaches(role, abilities[ability].least)
}
