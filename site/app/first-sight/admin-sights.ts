import type { AdminWords, FirstWords } from '../../../languages/words.ts'
import type { AppPage } from '../../../src/site-server/pages.ts'
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
import { drawFirstSteps, drawProblems } from './draw-admin-parts.ts'
import { drawEmpty, drawSection } from './draw-first-words.ts'
import type { Sight } from './sight.ts'

/** Pages whose words are those for administrators. */
export const adminSights: Partial<Record<AppPage, Sight<FirstWords & AdminWords>>> = {
  async '/models'(platform) {
    const { data } = await platform.listCatalogue()
    return (words) => ({ lede: catalogueLede(data, words) })
  },
  async '/webhooks'(platform) {
    const { data } = await platform.listWebhooks()
    return (words) => ({
      lede: webhooksLede(data, words),
      ...(data.length > 0
        ? { actions: [{ text: words.webhooks.add }] }
        : { below: [drawEmpty(words.webhooks.empty, words.webhooks.emptyText)] }),
    })
  },
  async '/admin'(platform) {
    const overview = await platform.showOverview({ query: { days: 30 } })
    return (words, language) => ({
      lede: overviewLede(overview, words),
      below: [drawProblems(overview.problems, words, language), 'lines'],
    })
  },
  async '/admin/accounts'(platform) {
    const [{ data }, { signUp }] = await Promise.all([platform.listAccounts(), platform.showSession()])
    return (words) => ({ lede: accountsLede(data.length, signUp, words) })
  },
  async '/admin/organisations'(platform) {
    const { data } = await platform.listAllOrganisations()
    return (words) => ({ lede: organisationsLede(data, words) })
  },
  async '/admin/models'(platform) {
    const listed = await platform.listModels()
    return (words, language) => ({ lede: modelsLede(listed, words, language) })
  },
  async '/admin/upstreams'(platform) {
    const { data } = await platform.listUpstreams()
    return (words) => ({
      lede: upstreamsLede(data, words),
      ...(data.length > 0
        ? {
            actions: [{ text: words.upstreams.importTitle }, { text: words.upstreams.add }],
            below: ['lines', drawSection(words.upstreams.figuresTitle, words.upstreams.figuresText)],
          }
        : { below: [drawEmpty(words.upstreams.empty, words.upstreams.emptyText)] }),
    })
  },
  async '/admin/nodes'(platform) {
    const { data } = await platform.listNodes()
    return (words) => ({ lede: nodesLede(data, words) })
  },
  async '/admin/webhooks'(platform) {
    const { data } = await platform.listServerWebhooks()
    return (words) => ({
      lede: webhooksLede(data, words),
      ...(data.length > 0
        ? { actions: [{ text: words.webhooks.add }] }
        : { below: [drawEmpty(words.webhooks.empty, words.webhooks.emptyServerText)] }),
    })
  },
  async '/admin/server'(platform) {
    const [engine, checklist] = await Promise.all([platform.showEngine(), platform.showChecklist()])
    return (words, language) => ({
      lede: engineLede(engine, words),
      below: [drawFirstSteps(checklist, words, language), 'lines'],
    })
  },
}
