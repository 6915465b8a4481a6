import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Fingerprint } from 'lucide-react'
import { useState } from 'react'
import { createPasskey, knowsPasskeys } from '../../../../platform/passkeys.ts'
import { usePlatform } from '../../../app-state.ts'
import { Button } from '../../../components/button.tsx'
import { ErrorNotice } from '../../../components/error-notice.tsx'
import { useToast } from '../../../components/toasts.tsx'
import { sessionKey, useSession } from '../../../session.ts'
import { useWords } from '../../../words-context.tsx'
import { browserName } from '../browser-name.ts'
import { SettingsPart } from '../settings-part.tsx'
import { useConfirmed } from './confirmation.tsx'
import { isCancelled } from './is-cancelled.ts'
import { methodsKey, methodsQuery, type Passkey } from './methods-query.ts'
import { PasskeyRow } from './passkey-row.tsx'
import { RenamePasskey } from './rename-passkey.tsx'

export const PasskeysPart = () => {
  const platform = usePlatform()
  const { signInMethods, settings } = useWords()
  const { passkeys: areHere } = useSession()
  const { data: methods } = useQuery(methodsQuery(platform))
  const confirmed = useConfirmed()
  const queryClient = useQueryClient()
  const toast = useToast()
  const [renamed, setRenamed] = useState<Passkey | null>(null)
  const { browser, system } = browserName(navigator.userAgent)
  const name =
    browser !== null && system !== null ? settings.onSystem(browser, system) : (system ?? signInMethods.unnamedPasskey)
  const refresh = async (): Promise<void> => {
    await queryClient.invalidateQueries({ queryKey: methodsKey })
    await queryClient.invalidateQueries({ queryKey: sessionKey })
  }
  const add = useMutation({
    async mutationFn() {
      const question = await confirmed(() => platform.askNewPasskey())
      return platform.addPasskey({ body: { name, ...(await createPasskey(question)) } })
    },
    async onSuccess(passkey) {
      await refresh()
      setRenamed(passkey)
    },
  })
  const remove = useMutation({
    mutationFn: ({ id }: Passkey) => confirmed(() => platform.removePasskey({ params: { passkey: id } })),
    async onSuccess() {
      toast(signInMethods.passkeyRemoved)
      await refresh()
    },
  })
  const canAdd = areHere && knowsPasskeys()
  const namedPlace = atLocalhost(location.href)
  const failed = [add, remove].find(({ isError, error }) => isError && !isCancelled(error))
  return (
    <SettingsPart title={signInMethods.passkeys} text={signInMethods.passkeysText}>
      {methods === undefined || methods.passkeys.length === 0 ? null : (
        <ul className="item-list">
          {methods.passkeys.map((passkey) => (
            <PasskeyRow
              key={passkey.id}
              passkey={passkey}
              isRemoving={remove.isPending && remove.variables.id === passkey.id}
              onRename={() => setRenamed(passkey)}
              onRemove={() => remove.mutate(passkey)}
            />
          ))}
        </ul>
      )}
      {canAdd ? (
        <Button busy={add.isPending} onClick={() => add.mutate()}>
          <Fingerprint size={16} strokeWidth={1.5} aria-hidden />
          {signInMethods.addPasskey}
        </Button>
      ) : (
        <p className="muted small">
          {areHere ? signInMethods.noPasskeysInBrowser : signInMethods.noPasskeysHere}
          {areHere || namedPlace === null ? null : (
            <>
              {' '}
              <a href={namedPlace}>{signInMethods.openAtLocalhost}</a>
            </>
          )}
        </p>
      )}
      {failed === undefined ? null : <ErrorNotice error={failed.error} />}
      <RenamePasskey passkey={renamed} onClose={() => setRenamed(null)} />
    </SettingsPart>
  )
}

/** The same page by the name that loopback addresses have; null where the server is reached otherwise. */
const atLocalhost = (address: string): string | null => {
  const url = new URL(address)
  if (!['127.0.0.1', '[::1]'].includes(url.hostname)) return null
  url.hostname = 'localhost'
  return url.href
}
