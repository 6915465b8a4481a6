/**
 * Loaded before the program (`node --import`): leases so short that a run of a minute has nodes that lose theirs. Only the
 * times differ from those of the program.
 */
import { leaseTimes } from '../../src/nodes/open-node-lease.ts'
import { chaosLeaseTimes } from './lease-times.ts'

Object.assign(leaseTimes, chaosLeaseTimes)
