import { useMutation } from '@tanstack/react-query'
import { usePlatform } from '../../app-state.ts'
import { ErrorNotice } from '../../components/error-notice.tsx'
import { Tag } from '../../components/tag.tsx'
import { useToast } from '../../components/toasts.tsx'
import { useSession } from '../../session.ts'
import { dayText } from '../../time/moments.ts'
import { useLocale } from '../../words-context.tsx'
import { ChangeEmail } from './change-email.tsx'
import { NameForm } from './name-form.tsx'
import { SettingsPart } from './settings-part.tsx'

/** Who is signed in, and whether the email is known to be theirs. */
export const AccountPart = () => {
  const platform = usePlatform()
  const { words, language } = useLocale()
  const { settings, team, shell } = words
  const { account, organisation, mail } = useSession()
  const toast = useToast()
  const verify = useMutation({
    mutationFn: () => platform.requestVerification(),
    onSuccess: () => toast(settings.verifySent(account.email)),
  })
  return (
    <SettingsPart title={settings.account}>
      <dl className="facts">
        <dt>{shell.email}</dt>
        <dd>
          <span>{account.email}</span> {/* Without mail nothing is missing: no address can be verified by its owner. */}
          {account.emailVerified || mail ? (
            <Tag state={account.emailVerified ? 'ok' : 'warn'}>
              {account.emailVerified ? shell.verified : shell.notVerified}
            </Tag>
          ) : null}
          <ChangeEmail />
          {account.emailVerified ? null : mail ? (
            <button type="button" className="link small" onClick={() => verify.mutate()} disabled={verify.isPending}>
              {settings.verify}
            </button>
          ) : (
            <p className="muted small">{account.isOwner ? settings.verifyByOwner : settings.verifyNoMail}</p>
          )}
        </dd>
        <dt>{shell.organisation}</dt>
        <dd>{organisation.name}</dd>
        <dt>{shell.role}</dt>
        <dd>
          {team.roles[organisation.role]}
          {account.isOwner ? <span className="subtext">{settings.ownsServer}</span> : null}
        </dd>
        <dt>{settings.since}</dt>
        <dd>{dayText(account.createdAt, Date.now(), language)}</dd>
      </dl>
      <NameForm />
      {verify.isError ? <ErrorNotice error={verify.error} onRetry={() => verify.mutate()} /> : null}
    </SettingsPart>
  )
}
