import type { KeyControl } from './control-keys.ts'
import type { LimitControl } from './control-limits.ts'
import type { SuspensionControl } from './control-suspensions.ts'
import type { UsageControl } from './control-usage.ts'

/**
 * What the command line can do: through the socket of a running server, or on the store if none is running. The results
 * are the same. A KEY is the id of a key, or its name if no other key has it.
 */
export type Control = KeyControl & LimitControl & SuspensionControl & UsageControl
