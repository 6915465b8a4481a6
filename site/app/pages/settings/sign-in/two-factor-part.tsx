import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { usePlatform } from '../../../app-state.ts'
import { Button } from '../../../components/button.tsx'
import { Dialog } from '../../../components/dialog.tsx'
import { ErrorNotice } from '../../../components/error-notice.tsx'
import { Tag } from '../../../components/tag.tsx'
import { dayText } from '../../../time/moments.ts'
import { useLocale } from '../../../words-context.tsx'
import { SettingsPart } from '../settings-part.tsx'
import { useConfirmed } from './confirmation.tsx'
import { isCancelled } from './is-cancelled.ts'
import { methodsKey, methodsQuery } from './methods-query.ts'
import { RecoveryCodes } from './recovery-codes.tsx'
import { TwoFactorOff } from './two-factor-off.tsx'
import { TwoFactorSetup } from './two-factor-setup.tsx'

/** Codes from an app on top of the password. */
export const TwoFactorPart = () => {
  const platform = usePlatform()
  const { words, language } = useLocale()
  const { signInMethods } = words
  const confirmed = useConfirmed()
  const queryClient = useQueryClient()
  const { data: methods } = useQuery(methodsQuery(platform))
  const [isOff, setOff] = useState(false)
  const begin = useMutation({
    mutationFn: () => confirmed(() => platform.beginTwoFactor()),
  })
  const renew = useMutation({
    mutationFn: () => confirmed(() => platform.renewRecoveryCodes()),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: methodsKey }),
  })
  const failed = [begin, renew].find(({ isError, error }) => isError && !isCancelled(error))
  const twoFactor = methods?.twoFactor ?? null
  return (
    <SettingsPart title={signInMethods.twoFactor} text={signInMethods.twoFactorText}>
      <p className="status-line">
        <Tag state={twoFactor === null ? 'off' : 'ok'}>{twoFactor === null ? signInMethods.off : signInMethods.on}</Tag>
        {twoFactor === null ? null : (
          <span className="muted small">
            {signInMethods.since(dayText(twoFactor.since, Date.now(), language))}{' '}
            {signInMethods.codesLeft(twoFactor.recoveryCodesLeft)}
          </span>
        )}
      </p>
      {methods === undefined ? null : twoFactor === null ? (
        <Button busy={begin.isPending} onClick={() => begin.mutate()}>
          {signInMethods.setUp}
        </Button>
      ) : (
        <div className="button-row">
          <Button busy={renew.isPending} onClick={() => renew.mutate()}>
            {signInMethods.newCodes}
          </Button>
          <Button onClick={() => setOff(true)}>{signInMethods.switchOff}</Button>
        </div>
      )}
      {failed === undefined ? null : <ErrorNotice error={failed.error} />}
      <TwoFactorSetup secret={begin.data ?? null} onClose={() => begin.reset()} />
      <TwoFactorOff isOpen={isOff} hasPassword={methods?.hasPassword ?? true} onClose={() => setOff(false)} />
      <Dialog isOpen={renew.data !== undefined} title={signInMethods.codesTitle} onClose={() => renew.reset()}>
        <RecoveryCodes codes={renew.data?.recoveryCodes ?? []} onDone={() => renew.reset()} />
      </Dialog>
    </SettingsPart>
  )
}
