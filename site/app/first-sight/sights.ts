import type { Language } from '../../../languages/language.ts'
import type { AdminWords, Words } from '../../../languages/words.ts'
import type { AppPage } from '../../../src/site-server/pages.ts'
import type { Platform } from '../../platform/platform.ts'
import {
  accountsLede,
  catalogueLede,
  engineLede,
  modelsLede,
  nodesLede,
  organisationsLede,
  overviewLede,
  upstreamsLede,
  webhooksLede,
} from '../ledes/admin-ledes.ts'
import { homeLede } from '../ledes/home-lede.ts'
import { keysLede } from '../ledes/keys-lede.ts'
import type { Lede } from '../ledes/lede.ts'
import { limitsLede } from '../ledes/limits-lede.ts'
import { teamLede } from '../ledes/team-lede.ts'
import { todayLede } from '../ledes/today-lede.ts'
import { usageLede } from '../ledes/usage-lede.ts'
import { todayView } from '../pages/requests/today-view.ts'
import { invitationState } from '../pages/team/invitation-state.ts'
import { countDays, defaultUsageView, usageParameters } from '../pages/usage/usage-view.ts'

type Say<PageWords> = (words: PageWords, language: Language) => Lede

/** Asks what the sentence under the name of a page needs, with the calls of the page itself, and returns what says it. */
type Sight<PageWords> = (platform: Platform, now: number) => Promise<Say<PageWords>>

/** Pages whose words are those of the console. */
export const sights: Partial<Record<AppPage, Sight<Words>>> = {
  async '/home'(platform) {
    const usage = await platform.showUsage({ query: usageParameters(defaultUsageView) })
    return (words, language) => homeLede(usage, words, language)
  },
  async '/keys'(platform, now) {
    const { data } = await platform.listKeys()
    return (words) => keysLede(data, now, words)
  },
  async '/usage'(platform) {
    const usage = await platform.showUsage({ query: usageParameters(defaultUsageView) })
    return (words, language) => usageLede(usage, words.usage.last(countDays(defaultUsageView)), words, language)
  },
  async '/requests'(platform) {
    const [usage, { data }] = await Promise.all([
      platform.showUsage({ query: usageParameters(todayView) }),
      platform.listRequests({ query: { limit: 50 } }),
    ])
    const running = data.filter(({ outcome }) => outcome === 'running').length
    return (words, language) => todayLede(usage, running, words, language)
  },
  async '/limits'(platform) {
    const shown = await platform.showLimits()
    return (words) => limitsLede(shown, words)
  },
  async '/team'(platform, now) {
    const [members, invitations] = await Promise.all([platform.listMembers(), platform.listInvitations()])
    const open = invitations.data.filter((invitation) => invitationState(invitation, now) === 'open')
    return (words) => teamLede(members.data.length, open.length, words)
  },
  async '/settings'(platform) {
    const { account } = await platform.showSession()
    return ({ settings }) => (account === null ? [] : [settings.lede(account.email)])
  },
}

/** Pages whose words are those for administrators. */
export const adminSights: Partial<Record<AppPage, Sight<AdminWords>>> = {
  async '/models'(platform) {
    const { data } = await platform.listCatalogue()
    return (words) => catalogueLede(data, words)
  },
  async '/webhooks'(platform) {
    const { data } = await platform.listWebhooks()
    return (words) => webhooksLede(data, words)
  },
  async '/admin'(platform) {
    const overview = await platform.showOverview({ query: { days: 30 } })
    return (words) => overviewLede(overview, words)
  },
  async '/admin/accounts'(platform) {
    const [{ data }, { signUp }] = await Promise.all([platform.listAccounts(), platform.showSession()])
    return (words) => accountsLede(data.length, signUp, words)
  },
  async '/admin/organisations'(platform) {
    const { data } = await platform.listAllOrganisations()
    return (words) => organisationsLede(data, words)
  },
  async '/admin/models'(platform) {
    const listed = await platform.listModels()
    return (words, language) => modelsLede(listed, words, language)
  },
  async '/admin/upstreams'(platform) {
    const { data } = await platform.listUpstreams()
    return (words) => upstreamsLede(data, words)
  },
  async '/admin/nodes'(platform) {
    const { data } = await platform.listNodes()
    return (words) => nodesLede(data, words)
  },
  async '/admin/webhooks'(platform) {
    const { data } = await platform.listServerWebhooks()
    return (words) => webhooksLede(data, words)
  },
  async '/admin/server'(platform) {
    const engine = await platform.showEngine()
    return (words) => engineLede(engine, words)
  },
}
