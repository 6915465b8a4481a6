import { OwnerPage } from '../../components/owner-page.tsx'
import { useWords } from '../../words-context.tsx'
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
