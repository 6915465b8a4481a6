import type { RefusingLimit } from '../../../platform/platform-error.ts'

/** Where the reader sees more of a limit: what was rejected or is running, or the limits. */
export const pageOfLimit = ({ name }: RefusingLimit): '/limits' | '/requests' =>
  name === 'refusedRequestsPerMinute' || name === 'bodyBytesInFlight' ? '/requests' : '/limits'
