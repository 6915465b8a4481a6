import type { AdminWords } from '../../../languages/words.ts'
import type { AppPage } from '../../../src/site-server/pages.ts'
import {
  accountsLede,
  catalogueLede,
  engineLede,
  modelsLede,
  nodesLede,
  organisationsLede,
  upstreamsLede,
  webhooksLede,
} from '../ledes/admin-ledes.ts'
import type { Sight } from './sight.ts'

/** Pages whose words are those for administrators. */
export const adminSights: Partial<Record<AppPage, Sight<AdminWords>>> = {
  async '/models'(platform) {
    const { data } = await platform.listCatalogue()
    return (words) => ({ lede: catalogueLede(data, words) })
  },
  async '/webhooks'(platform) {
    const { data } = await platform.listWebhooks()
    return (words) => ({
      lede: webhooksLede(data, words),
      ...(data.length > 0 ? {} : { empty: { title: words.webhooks.empty, text: words.webhooks.emptyText } }),
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
      ...(data.length > 0 ? {} : { empty: { title: words.upstreams.empty, text: words.upstreams.emptyText } }),
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
      ...(data.length > 0 ? {} : { empty: { title: words.webhooks.empty, text: words.webhooks.emptyServerText } }),
    })
  },
  async '/admin/server'(platform) {
    const engine = await platform.showEngine()
    return (words) => ({ lede: engineLede(engine, words) })
  },
}
