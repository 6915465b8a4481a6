import type { ConfigurationShown } from '../../../../src/platform/contract/server.ts'
import { useWords } from '../../words-context.tsx'
import { SettingsPart } from '../settings/settings-part.tsx'

export const SignUpPart = ({ mode }: { mode: ConfigurationShown['signUp'] }) => {
  const { admin } = useWords()
  const { server } = useWords()
  const modes = { open: server.signUpOpen, invitation: server.signUpInvitation, closed: server.signUpClosed }
  return (
    <SettingsPart title={server.signUp} text={server.signUpText}>
      <p>{modes[mode]}</p>
      <p className="secondary small">{admin.signUpHow}</p>
    </SettingsPart>
  )
}
