/** What accounts do not want to see above the pages of the site. It belongs to the account and is deleted with it. */
export type HiddenNotice = {
  /** A kind of notices, one notice that was dismissed, or the first steps of the server. */
  what: 'kind' | 'notice' | 'checklist'
  /** The name of the kind or the notice; empty for the first steps. */
  name: string
}

/** Notices that an account dismissed longest ago are forgotten beyond this number. */
export const dismissedNoticesOfAccount = 200

export interface HiddenNoticeRecords {
  /** In the order in which they were hidden. */
  list(accountId: string): Promise<HiddenNotice[]>
  /** Hiding what is hidden changes nothing. */
  hide(accountId: string, hidden: HiddenNotice, at: number): Promise<void>
  show(accountId: string, hidden: HiddenNotice): Promise<void>
}
