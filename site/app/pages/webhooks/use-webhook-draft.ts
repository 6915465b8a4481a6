import { useState } from 'react'
import { useWords } from '../../admin-words-context.tsx'
import type { WebhookDraft } from './webhook-fields.tsx'

type Wrong = { url?: string; events?: string }

/** What is typed, and what is wrong with it once somebody tried to save it. */
export const useWebhookDraft = (first: WebhookDraft, hasUrl: boolean) => {
  const { webhooks } = useWords()
  const [draft, setDraft] = useState(first)
  const [wrong, setWrong] = useState<Wrong>({})
  return {
    draft,
    wrong,
    change(changed: Partial<WebhookDraft>) {
      setDraft({ ...draft, ...changed })
      setWrong({})
    },
    /** Whether it can be sent. */
    check(): boolean {
      const found: Wrong = {
        ...(hasUrl && draft.url.trim() === '' ? { url: webhooks.urlNeeded } : {}),
        ...(draft.events.length === 0 ? { events: webhooks.eventsNeeded } : {}),
      }
      setWrong(found)
      return Object.keys(found).length === 0
    },
  }
}
