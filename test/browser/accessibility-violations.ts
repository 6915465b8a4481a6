import { AxeBuilder } from '@axe-core/playwright'
import type { Page } from 'playwright-core'

/** What is wrong, where, in one line each. */
export const accessibilityViolations = async (page: Page): Promise<string[]> => {
  // What is right need not be described, and without frames one page has it all.
  const axe = new AxeBuilder({ page }).options({ resultTypes: ['violations'] }).setLegacyMode()
  const { violations } = await axe.analyze()
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .flatMap(({ id, nodes }) => nodes.map(({ target, failureSummary = '' }) => `${id} ${target}: ${failureSummary}`))
}
