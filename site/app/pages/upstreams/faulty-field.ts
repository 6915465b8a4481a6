import type { UpstreamFault } from '../../../../src/platform/contract/upstreams.ts'
import type { UpstreamTextName } from './upstream-fields.ts'

const fields: Partial<Record<UpstreamFault, UpstreamTextName>> = {
  ...{ dns: 'url', refused: 'url', unreachable: 'url', tls: 'url', redirect: 'url', not_an_api: 'url' },
  ...{ key_refused: 'key', no_model: 'models' },
}

/** The field in which the cause of a failed test is most likely; null if it is in none. */
export const faultyField = (fault: UpstreamFault): UpstreamTextName | null => fields[fault] ?? null
