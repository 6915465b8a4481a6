import type { Page } from 'playwright-core'

/** Takes screenshots of the current page. `isTimed`: it shows measured times or ids, which differ in every run. */
export type Shoot = (page: Page, name: string, isTimed?: boolean) => Promise<void>
