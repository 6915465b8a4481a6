import { useQuery } from '@tanstack/react-query'
import { usePlatform } from '../../app-state.ts'
import '../../../styles/models.css'
import type { ShownNode } from '../../../../src/platform/contract/nodes.ts'
import { useWords } from '../../admin-words-context.tsx'
import { LedeText } from '../../components/lede-text.tsx'
import { Loaded } from '../../components/loaded.tsx'
import { OwnerPage } from '../../components/owner-page.tsx'
import { PageHead } from '../../components/page-head.tsx'
import { nodesLede } from '../../ledes/admin-ledes.ts'
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
  const words = useWords()
  return listed === undefined ? <span className="skeleton-line" /> : <LedeText parts={nodesLede(listed, words)} />
}
