import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import type { UsableModel } from '../../../../src/platform/contract/models.ts'
import type { Platform } from '../../../platform/platform.ts'
import { useView } from '../../address/use-view.ts'
import { text } from '../../address/view-fields.ts'
import { usePlatform } from '../../app-state.ts'
import { useToast } from '../../components/toasts.tsx'
import { useSession } from '../../session.ts'
import { useWords } from '../../words-context.tsx'
import { type PlaygroundContent, readContent } from './draft-content.ts'
import { promptQuery } from './prompts-query.ts'
import { replaceContent } from './replace-content.ts'
import { usePlaygroundParts } from './use-playground.ts'

const view = { prompt: text(64), version: text(8), request: text(64) }

/**
 * Opens what the address names: a saved prompt (`?prompt=…`, perhaps `&version=…`) or the prompt of a request
 * (`?request=…`). What stood in the playground can be brought back. Returns what could not be opened.
 */
export const useOpenedContent = (isReady: boolean): unknown => {
  const platform = usePlatform()
  const [{ prompt, version, request }] = useView(view)
  const { playground } = useWords()
  const parts = usePlaygroundParts()
  const toast = useToast()
  const navigate = useNavigate()
  const queryClient = useQueryClient()
  const { models } = useSession()
  const [error, setError] = useState<unknown>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: it runs once for each address
  useEffect(() => {
    if (!isReady || (prompt === '' && request === '')) return
    let isOver = false
    const load = async (): Promise<{ opened: PlaygroundContent | null; name: string }> => {
      if (prompt === '') return { opened: await loadRequest(platform, request, models), name: request }
      const saved = await queryClient.fetchQuery({ ...promptQuery(platform, prompt, version), staleTime: 0 })
      const { id, name, isOwn } = saved.prompt
      const content = readContent(saved.content)
      if (content === null) return { opened: null, name }
      const of = { id, name, isOwn, version: saved.version }
      return { opened: { ...content, saved: of, conversation: null }, name }
    }
    const show = ({ opened, name }: Awaited<ReturnType<typeof load>>): void => {
      if (isOver) return
      setError(opened === null ? new Error(name) : null)
      if (opened === null) return
      toast(playground.opened(name), replaceContent(parts, opened))
      // The draft is what counts from here on: a reload must not open it again.
      void navigate({
        to: '.',
        search: (last: object) => ({ ...last, prompt: '', version: '', request: '' }),
        replace: true,
      })
    }
    load().then(show, (failure: unknown) => !isOver && setError(failure))
    return () => {
      isOver = true
    }
  }, [isReady, prompt, version, request])
  return error
}

const loadRequest = async (
  platform: Platform,
  id: string,
  models: readonly UsableModel[],
): Promise<PlaygroundContent | null> => {
  const params = { request: id }
  const [{ request: stored }, { endpoint, model }, { contentOfRequest }] = await Promise.all([
    platform.showRequestBodies({ params }),
    platform.showRequest({ params }),
    import('./opened/content-of-request.ts'),
  ])
  return stored === null ? null : contentOfRequest({ endpoint, model, body: stored.text }, models)
}
