import { isTrue } from '../audit/audit-conditions.ts'
import { audited } from '../audit/record-event.ts'
import { read } from '../operation.ts'
import { insertUpstream, listUpstreams, removeUpstream, setUpstreamDraining, updateUpstream } from './upstreams.ts'

export const upstreamOperations = {
  listUpstreams: read(listUpstreams),
  insertUpstream: audited(insertUpstream, isTrue),
  setUpstreamDraining: audited(setUpstreamDraining, isTrue),
  updateUpstream: audited(updateUpstream, isTrue),
  removeUpstream: audited(removeUpstream, isTrue),
}
