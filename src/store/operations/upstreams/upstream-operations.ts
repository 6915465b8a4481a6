import { isTrue } from '../audit/audit-conditions.ts'
import { audited } from '../audit/record-event.ts'
import { read, writeOnce } from '../operation.ts'
import { addUpstreamUse, listUpstreamUse, pruneUpstreamUse } from './upstream-use.ts'
import { insertUpstream, listUpstreams, removeUpstream, setUpstreamDraining, updateUpstream } from './upstreams.ts'

export const upstreamOperations = {
  listUpstreams: read(listUpstreams),
  insertUpstream: audited(insertUpstream, isTrue),
  setUpstreamDraining: audited(setUpstreamDraining, isTrue),
  updateUpstream: audited(updateUpstream, isTrue),
  removeUpstream: audited(removeUpstream, isTrue),
  addUpstreamUse: writeOnce(addUpstreamUse),
  listUpstreamUse: read(listUpstreamUse),
  pruneUpstreamUse: writeOnce(pruneUpstreamUse),
}
