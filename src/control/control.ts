import type { KeyControl } from './control-keys.ts'
import type { LimitControl } from './control-limits.ts'
import type { NodeControl } from './control-nodes.ts'
import type { SuspensionControl } from './control-suspensions.ts'
import type { UpstreamControl } from './control-upstreams.ts'
import type { UsageControl } from './control-usage.ts'

/**
 * Operations of the command line: through the socket of a running server, or on the store if none runs. The results
 * are the same. A KEY is the ID of a key, or its name if it is unique.
 */
export type Control = KeyControl & LimitControl & SuspensionControl & UsageControl & UpstreamControl & NodeControl
