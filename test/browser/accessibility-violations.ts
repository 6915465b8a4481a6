import { AxeBuilder } from '@axe-core/playwright'
import type { Page } from 'playwright-core'

/** What is wrong, where, in one line each: what is serious, and parts of the page that a screen reader lists under the same name. `within`: only in these parts of a long page that is checked elsewhere. */
export const accessibilityViolations = async (page: Page, within = 'html'): Promise<string[]> => {
  // What is right need not be described, and without frames one page has it all.
  const axe = new AxeBuilder({ page })
    .include(within)
    .options({ resultTypes: ['violations'] })
    .setLegacyMode()
  const { violations } = await axe.analyze()
  return violations
    .filter(({ id, impact }) => impact === 'serious' || impact === 'critical' || id === 'landmark-unique')
    .flatMap(({ id, nodes }) => nodes.map(({ target, failureSummary = '' }) => `${id} ${target}: ${failureSummary}`))
}
