import type { Words } from '../../../languages/words.ts'
import { abilities } from '../../../src/accounts/teams/roles.ts'
import type { AppPage } from '../../../src/site-server/pages.ts'
import { reaches } from '../../../src/store/decide-member-change.ts'
import { homeLede } from '../ledes/home-lede.ts'
import { keysLede } from '../ledes/keys-lede.ts'
import { limitsLede } from '../ledes/limits-lede.ts'
import { teamLede } from '../ledes/team-lede.ts'
import { todayLede } from '../ledes/today-lede.ts'
import { usageLede } from '../ledes/usage-lede.ts'
import { mayMake } from '../pages/keys/may-change.ts'
import { limitNotes } from '../pages/limits/limit-notes.ts'
import { todayView } from '../pages/requests/today-view.ts'
import { invitationState } from '../pages/team/invitation-state.ts'
import { countDays, defaultUsageView, hasUsage, usageParameters } from '../pages/usage/usage-parameters.ts'
import { drawElement, drawEmpty, drawLink, drawSection, drawSettingsPart } from './draw-first-words.ts'
import type { Sight } from './sight.ts'

/** Pages whose words are those of the console. */
export const sights: Partial<Record<AppPage, Sight<Words>>> = {
  async '/home'(platform) {
    const usage = await platform.showUsage({ query: usageParameters(defaultUsageView) })
    return (words, language) => {
      const lede = homeLede(usage, words, language)
      if (hasUsage(usage)) return { lede }
      const { home, usage: named } = words
      const empty = drawElement('div', 'empty', drawElement('p', '', named.emptyText))
      return { lede, below: [drawSection(home.usageTitle, drawLink('/usage', home.toUsage), empty), 'lines'] }
    }
  },
  async '/keys'(platform, now) {
    const [{ data }, { organisation }] = await Promise.all([platform.listKeys(), platform.showSession()])
    const hasButton = data.length > 0 && organisation !== null && mayMake(organisation.role)
    return (words) => ({
      lede: keysLede(data, now, words),
      ...(hasButton ? { actions: [{ text: words.keys.create, hasIcon: true }] } : {}),
    })
  },
  async '/usage'(platform) {
    const usage = await platform.showUsage({ query: usageParameters(defaultUsageView) })
    return (words, language) => ({
      lede: usageLede(usage, words.usage.last(countDays(defaultUsageView)), words, language),
      ...(hasUsage(usage) ? {} : { below: ['lines', drawEmpty(words.usage.emptyTitle, words.usage.emptyText)] }),
    })
  },
  async '/requests'(platform) {
    const [usage, { data }] = await Promise.all([
      platform.showUsage({ query: usageParameters(todayView) }),
      platform.listRequests({ query: { limit: 50 } }),
    ])
    const running = data.filter(({ outcome }) => outcome === 'running').length
    return (words, language) => ({ lede: todayLede(usage, running, words, language) })
  },
  async '/limits'(platform) {
    const shown = await platform.showLimits()
    return ({ limits }) => ({
      lede: limitsLede(shown, { limits }),
      below: [
        'lines',
        drawElement('div', 'page-notes', ...limitNotes(shown, limits).map((note) => drawElement('p', '', note))),
      ],
    })
  },
  async '/team'(platform, now) {
    const [members, { organisation }] = await Promise.all([platform.listMembers(), platform.showSession()])
    const isManager = organisation !== null && reaches(organisation.role, abilities.manageMembers.least)
    const invitations = isManager ? (await platform.listInvitations()).data : []
    const open = invitations.filter((invitation) => invitationState(invitation, now) === 'open')
    return (words) => ({
      lede: teamLede(members.data.length, open.length, words),
      ...(isManager ? { actions: [{ text: words.team.invite, hasIcon: true }] } : {}),
      below: [
        'lines',
        ...(isManager ? [drawSection(words.team.invitations, words.team.invitationsText)] : []),
        drawSettingsPart(words.team.rule, words.team.ruleText),
      ],
    })
  },
  async '/settings'(platform) {
    const { account } = await platform.showSession()
    return ({ settings }) => (account === null ? {} : { lede: [settings.lede(account.email)] })
  },
}
