import type { Store } from '../contract.ts'
import type { StoreCalls } from './store-calls.ts'

/** The part of the store about what people hide on the site. */
export const createNoticeRecords = (store: StoreCalls): Pick<Store, 'hiddenNotices'> => ({
  hiddenNotices: {
    list: (accountId) => store.call('listHiddenNotices', accountId),
    hide: (accountId, hidden, at) => store.call('hideNotice', accountId, hidden, at),
    show: (accountId, hidden) => store.call('showNotice', accountId, hidden),
  },
})
