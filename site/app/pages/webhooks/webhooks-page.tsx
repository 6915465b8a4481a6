import { useWords } from '../../admin-words-context.tsx'
import { PageHead } from '../../components/page-head.tsx'
import { useMay } from '../../role.ts'
import { usePageTitle } from '../../use-page-title.ts'
import { WebhookList } from './webhook-list.tsx'

/** For owners and admins: what is told of the events of their organisation. */
export const WebhooksPage = () => {
  const { shell, webhooks } = useWords()
  const mayManage = useMay()('manageWebhooks')
  usePageTitle(shell.webhooks)
  return (
    <div className="page wide">
      {mayManage ? (
        <WebhookList scope="organisation" />
      ) : (
        <PageHead title={shell.webhooks} lede={webhooks.adminsOnly} />
      )}
    </div>
  )
}
