import { useWords } from '../../admin-words-context.tsx'
import { OwnerPage } from '../../components/owner-page.tsx'
import { WebhookList } from './webhook-list.tsx'

/** For the server's owner: what is told of the events of the server. */
export const ServerWebhooksPage = () => {
  const { webhooks } = useWords()
  return (
    <OwnerPage title={webhooks.serverTitle}>
      <WebhookList scope="server" />
    </OwnerPage>
  )
}
