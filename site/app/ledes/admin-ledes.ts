import type { Language } from '../../../languages/language.ts'
import type { AdminWords } from '../../../languages/words.ts'
import type { ListedModel } from '../../../src/platform/contract/models.ts'
import type { ShownNode } from '../../../src/platform/contract/nodes.ts'
import type { Overview } from '../../../src/platform/contract/overview.ts'
import type { EngineShown } from '../../../src/platform/contract/server.ts'
import type { UpstreamShown } from '../../../src/platform/contract/upstreams.ts'
import { bytesText } from '../figures.ts'
import type { Lede } from './lede.ts'

/** The sentences of the pages for the server's owner, and of others with words that come with those pages. */

const withMuted = (strong: string, muted: string): Lede => (muted === '' ? [{ strong }] : [{ strong }, ' ', { muted }])

export const overviewLede = (
  { problems, load }: Pick<Overview, 'problems' | 'load'>,
  { overview }: Pick<AdminWords, 'overview'>,
): Lede =>
  withMuted(
    problems.length === 0 ? overview.works : overview.problems(problems.length),
    load.running + load.waiting === 0 ? overview.idle : overview.running(load.running, load.waiting),
  )

type SignUp = 'setup' | 'open' | 'invitation' | 'closed'

export const accountsLede = (count: number, signUp: SignUp, { admin }: Pick<AdminWords, 'admin'>): Lede =>
  withMuted(admin.accounts(count), signUpText(signUp, { admin }))

export const signUpText = (signUp: SignUp, { admin }: Pick<AdminWords, 'admin'>): string => {
  if (signUp === 'open') return admin.signUpOpen
  return signUp === 'invitation' ? admin.signUpInvitation : admin.signUpClosed
}

export const organisationsLede = (
  listed: readonly { readonly suspendedAt: number | null }[],
  { admin }: Pick<AdminWords, 'admin'>,
): Lede =>
  withMuted(
    admin.organisationsLede(listed.length),
    admin.organisationsSuspended(listed.filter(({ suspendedAt }) => suspendedAt !== null).length),
  )

type Models = { readonly data: readonly ListedModel[]; readonly memoryBytes: number; readonly diskBytes: number }

export const modelsLede = (
  { data, memoryBytes, diskBytes }: Models,
  { models }: Pick<AdminWords, 'models'>,
  language: Language,
): Lede => {
  const countModels = (wanted: ListedModel['state']): number => data.filter(({ state }) => state === wanted).length
  const failed = countModels('failed')
  const texts = [
    models.loaded(countModels('ready')),
    ...(failed === 0 ? [] : [models.failed(failed)]),
    models.capacity(bytesText(memoryBytes, language), bytesText(diskBytes, language)),
  ]
  return withMuted(models.lede(data.length), texts.join(language.sentenceSeparator))
}

export const upstreamsLede = (
  listed: readonly Pick<UpstreamShown, 'state'>[],
  { upstreams }: Pick<AdminWords, 'upstreams'>,
): Lede =>
  withMuted(
    upstreams.lede(listed.length),
    upstreams.failing(listed.filter(({ state }) => state === 'failing' || state === 'paused').length),
  )

export const nodesLede = (
  listed: readonly Pick<ShownNode, 'version'>[],
  { nodes }: Pick<AdminWords, 'nodes'>,
): Lede => {
  const versions = new Set(listed.map(({ version }) => version)).size
  const alone = listed.length === 1 ? nodes.single : ''
  return withMuted(nodes.lede(listed.length), versions > 1 ? nodes.versions(versions) : alone)
}

export const engineLede = (
  { state, slots }: Pick<EngineShown, 'state' | 'slots'>,
  { server }: Pick<AdminWords, 'server'>,
): Lede => withMuted(server[state], state === 'ready' ? server.busy(slots.running, slots.total) : '')

export const webhooksLede = (
  endpoints: readonly { readonly isEnabled: boolean }[],
  { webhooks }: Pick<AdminWords, 'webhooks'>,
): Lede => withMuted(webhooks.lede(endpoints.filter(({ isEnabled }) => isEnabled).length), webhooks.ledeText)

export const catalogueLede = (
  models: readonly { readonly id: string }[],
  { catalogue }: Pick<AdminWords, 'catalogue'>,
): Lede => [{ strong: catalogue.lede(models.length, models[0]?.id ?? '') }]
