import { useMutation } from '@tanstack/react-query'
import { PlatformError } from '../../../platform/platform-error.ts'
import { useWords } from '../../admin-words-context.tsx'
import { usePlatform } from '../../app-state.ts'
import { Button } from '../../components/button.tsx'
import { ErrorNotice } from '../../components/error-notice.tsx'
import { Tag } from '../../components/tag.tsx'

/** Sends a mail to the reader, with what the fields contain, and shows how far it came. */
export const MailTrial = ({ changes }: { changes: Readonly<Record<string, unknown>> }) => {
  const platform = usePlatform()
  const { server } = useWords()
  const trial = useMutation({
    mutationFn: () =>
      platform.sendTestMail({ body: { ...textOf(changes, 'smtpUrl'), ...textOf(changes, 'mailFrom') } }),
    gcTime: 0,
  })
  const { data, error } = trial
  const isRefused = error instanceof PlatformError && error.code === 'invalid_setting'
  return (
    <>
      <Button busy={trial.isPending} onClick={() => trial.mutate()}>
        {server.testMail}
      </Button>
      <div className="mail-trial" role="status">
        {data === undefined ? null : (
          <>
            <Tag state={data.isSent ? 'ok' : 'bad'}>{data.isSent ? server.mailSent(data.to) : server.mailNotSent}</Tag>
            {data.problem === null ? null : (
              <p className="small">
                {server.mailProblems[data.problem]} {data.code === null ? null : server.mailCode(data.code)}
              </p>
            )}
          </>
        )}
        {isRefused ? <p className="error-text">{error.message}</p> : null}
      </div>
      {error === null || isRefused ? null : <ErrorNotice error={error} title={server.mailNotSent} />}
    </>
  )
}

const textOf = (changes: Readonly<Record<string, unknown>>, name: 'smtpUrl' | 'mailFrom') => {
  const value = changes[name]
  return typeof value === 'string' ? { [name]: value } : {}
}
