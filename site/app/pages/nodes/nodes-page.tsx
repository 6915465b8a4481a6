import { useQuery } from '@tanstack/react-query'
import { usePlatform } from '../../app-state.ts'
import '../../../styles/models.css'
import type { ShownNode } from '../../../../src/platform/contract/nodes.ts'
import { useWords } from '../../admin-words-context.tsx'
import { Loaded } from '../../components/loaded.tsx'
import { OwnerPage } from '../../components/owner-page.tsx'
import { PageHead } from '../../components/page-head.tsx'
import { nodesQuery } from './nodes-query.ts'
import { NodesTable } from './nodes-table.tsx'

/** For the server's owner: every node with its version, load and models; one row on a single server. */
export const NodesPage = () => {
  const { admin } = useWords()
  return (
    <OwnerPage title={admin.nodes}>
      <Nodes />
    </OwnerPage>
  )
}

const Nodes = () => {
  const { admin } = useWords()
  const { nodes } = useWords()
  const query = useQuery(nodesQuery(usePlatform()))
  return (
    <>
      <PageHead title={admin.nodes} lede={<NodesLede nodes={query.data} />} />
      <Loaded query={query} errorTitle={nodes.notLoaded} lines={3}>
        {(data) => <NodesTable nodes={data} />}
      </Loaded>
    </>
  )
}

const NodesLede = ({ nodes: listed }: { nodes: readonly ShownNode[] | undefined }) => {
  const { nodes } = useWords()
  if (listed === undefined) return <span className="skeleton-line" />
  const versions = new Set(listed.map(({ version }) => version)).size
  return (
    <>
      <b>{nodes.lede(listed.length)}</b>{' '}
      <span className="muted">
        {versions > 1 ? nodes.versions(versions) : listed.length === 1 ? nodes.single : null}
      </span>
    </>
  )
}
