import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { usePlatform } from '../../../app-state.ts'
import { Button } from '../../../components/button.tsx'
import { ErrorNotice } from '../../../components/error-notice.tsx'
import { useToast } from '../../../components/toasts.tsx'
import { useSession } from '../../../session.ts'
import { dayText } from '../../../time/moments.ts'
import { useLocale } from '../../../words-context.tsx'
import { SettingsPart } from '../settings-part.tsx'
import { useConfirmed } from './confirmation.tsx'
import { isCancelled } from './is-cancelled.ts'
import { type Identity, methodsKey, methodsQuery } from './methods-query.ts'

/** Providers that this account can sign in with. Nothing is shown if the server has none. */
export const IdentitiesPart = () => {
  const platform = usePlatform()
  const { words, language } = useLocale()
  const { signInMethods } = words
  const { providers } = useSession()
  const { data: methods } = useQuery(methodsQuery(platform))
  const confirmed = useConfirmed()
  const queryClient = useQueryClient()
  const toast = useToast()
  const connect = useMutation({
    mutationFn: (id: string) => confirmed(() => platform.beginConnect({ params: { provider: id } })),
    onSuccess: ({ url }) => location.assign(url),
  })
  const remove = useMutation({
    mutationFn: ({ id }: Identity) => confirmed(() => platform.disconnect({ params: { identity: id } })),
    async onSuccess(_, { name }) {
      toast(signInMethods.disconnected(name))
      await queryClient.invalidateQueries({ queryKey: methodsKey })
    },
  })
  const identities = methods?.identities ?? []
  const open = providers.filter(({ id }) => !identities.some(({ provider }) => provider === id))
  const failed = [connect, remove].find(({ isError, error }) => isError && !isCancelled(error))
  if (providers.length === 0 && identities.length === 0) return null
  return (
    <SettingsPart title={signInMethods.identities} text={signInMethods.identitiesText}>
      {identities.length === 0 ? null : (
        <ul className="item-list">
          {identities.map((identity) => (
            <li key={identity.id}>
              <div>
                <p>
                  <b>{identity.name}</b>
                </p>
                <p className="muted small">
                  {identity.email === null ? null : <span>{identity.email}</span>}
                  <span>{signInMethods.connectedOn(dayText(identity.createdAt, Date.now(), language))}</span>
                </p>
              </div>
              <Button
                aria-label={signInMethods.disconnectOf(identity.name)}
                busy={remove.isPending && remove.variables.id === identity.id}
                onClick={() => remove.mutate(identity)}
              >
                {signInMethods.disconnect}
              </Button>
            </li>
          ))}
        </ul>
      )}
      {open.length === 0 || methods === undefined ? null : (
        <div className="button-row">
          {open.map(({ id, name }) => (
            <Button key={id} busy={connect.isPending && connect.variables === id} onClick={() => connect.mutate(id)}>
              {signInMethods.connect(name)}
            </Button>
          ))}
        </div>
      )}
      {failed === undefined ? null : <ErrorNotice error={failed.error} />}
    </SettingsPart>
  )
}
