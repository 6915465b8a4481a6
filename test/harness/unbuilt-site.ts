import type { Clock } from '../../src/base/clock.ts'
import { systemClock } from '../../src/base/clock.ts'
import type { BuiltSite } from '../../src/site-server/built-site.ts'
import { createHeldRequests } from '../../src/site-server/held-requests.ts'
import type { Site, SiteState } from '../../src/site-server/open-site.ts'
import { isDocsPage } from '../../src/site-server/pages.ts'

/** A site whose build is in the hands of the test. */
export const openUnbuiltSite = (clock: Clock = systemClock) => {
  const held = createHeldRequests(clock)
  const settled = Promise.withResolvers<void>()
  let state: SiteState = { kind: 'building', site: null, files: 0 }
  const site: Site = {
    get state() {
      return state
    },
    settled: settled.promise,
    hold: held.hold,
    async close() {
      held.close()
    },
  }
  const become = (next: SiteState): void => {
    state = next
    held.release()
    if (state.kind !== 'building') settled.resolve()
  }
  return { site, held, become }
}

/** Every page says the same. A draft has no documentation. */
export const sayOnPages = (words: string, { isDraft = false } = {}): BuiltSite => {
  const content = { etag: `W/"${words}"`, plain: Buffer.from(words), packed: () => null }
  return {
    has: (name) => !isDraft || !isDocsPage(name),
    document: () => content,
    text: () => (isDraft ? undefined : content),
    file: () => undefined,
  }
}
