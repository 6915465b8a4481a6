import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { UpstreamCheckShown, upstreamChanges } from '../../../../src/platform/contract/upstreams.ts'
import { useWords } from '../../admin-words-context.tsx'
import { usePlatform } from '../../app-state.ts'
import { useToast } from '../../components/toasts.tsx'
import { useEndSignal } from '../../components/use-end-signal.ts'
import { upstreamsQuery } from './upstreams-query.ts'

type Saving = {
  name: string
  body: ReturnType<typeof upstreamChanges>
  /** The owner knows that the test fails. */
  isForced: boolean
}

/** Tests an upstream, and saves it if it works and the form is still open. `edited`: the one that is changed; null: a new one. */
export const useSaveUpstream = (edited: string | null, onSaved: () => void) => {
  const platform = usePlatform()
  const { upstreams } = useWords()
  const toast = useToast()
  const queryClient = useQueryClient()
  const endSignal = useEndSignal()
  const [failed, setFailed] = useState<UpstreamCheckShown['problem']>(null)
  const save = useMutation({
    async mutationFn({ name, body, isForced }: Saving): Promise<UpstreamCheckShown['problem']> {
      const wanted = edited === null ? { name, ...body } : body
      const signal = endSignal()
      if (!isForced) {
        const { problem } = await platform.tryUpstream({ body: { edited, upstream: wanted }, signal })
        if (problem !== null) return problem
      }
      signal.throwIfAborted()
      if (edited === null) await platform.addUpstream({ body: { name, ...body } })
      else await platform.editUpstream({ params: { name: edited }, body })
      return null
    },
    // The form contains a key, so it is kept nowhere but on the page.
    gcTime: 0,
    async onSuccess(problem, { name }) {
      setFailed(problem)
      if (problem !== null) return
      toast(edited === null ? upstreams.added(name) : upstreams.changed(name))
      await queryClient.invalidateQueries({ queryKey: upstreamsQuery(platform).queryKey })
      onSaved()
    },
  })
  const isTesting = save.isPending && !save.variables.isForced
  return { save, isTesting, failed, forget: () => setFailed(null) }
}
