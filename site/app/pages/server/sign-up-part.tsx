import type { ConfigurationShown } from '../../../../src/platform/contract/server.ts'
import { useWords } from '../../admin-words-context.tsx'
import { SettingsPart } from '../settings/settings-part.tsx'

export const SignUpPart = ({ mode }: { mode: ConfigurationShown['signUp'] }) => {
  const { admin } = useWords()
  const { server } = useWords()
  const modes = { open: server.signUpOpen, invitation: server.signUpInvitation, closed: server.signUpClosed }
  return (
    <SettingsPart title={server.signUp} text={server.signUpText}>
      <p>{modes[mode]}</p>
      <p className="secondary small">{admin.signUpHow.split(flag).map(whole)}</p>
    </SettingsPart>
  )
}

const flag = /(--[\w-]+)/

/** A flag is not broken at its hyphens. */
const whole = (part: string) =>
  flag.test(part) ? (
    <span key={part} className="nowrap" translate="no">
      {part}
    </span>
  ) : (
    part
  )
