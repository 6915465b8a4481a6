import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { UpstreamCheckShown, UpstreamShown } from '../../../../src/platform/contract/upstreams.ts'
import { useWords } from '../../admin-words-context.tsx'
import { usePlatform } from '../../app-state.ts'
import { Button } from '../../components/button.tsx'
import { Dialog } from '../../components/dialog.tsx'
import { ErrorNotice } from '../../components/error-notice.tsx'
import { useToast } from '../../components/toasts.tsx'
import { RemoveUpstream } from './remove-upstream.tsx'
import { UpstreamForm } from './upstream-form.tsx'
import { upstreamsQuery } from './upstreams-query.ts'

/** Tests, edits, drains or removes an upstream. Only removing asks first. */
export const UpstreamActions = ({ upstream }: { upstream: UpstreamShown }) => {
  const platform = usePlatform()
  const { shell } = useWords()
  const { upstreams } = useWords()
  const { name, isDraining, state, source } = upstream
  const isStopped = isDraining || state === 'paused'
  const toast = useToast()
  const queryClient = useQueryClient()
  const [failed, setFailed] = useState<UpstreamCheckShown['problem']>(null)
  const [isEditing, setEditing] = useState(false)
  const refresh = () => queryClient.invalidateQueries({ queryKey: upstreamsQuery(platform).queryKey })
  const test = useMutation({
    mutationFn: () => platform.testUpstream({ params: { name } }),
    async onSuccess({ problem, model }) {
      setFailed(problem)
      if (problem === null) toast(upstreams.testWorks(name, model ?? ''))
      await refresh()
    },
  })
  const change = useMutation({
    mutationFn: (act: 'drain' | 'resume') =>
      (act === 'drain' ? platform.drainUpstream : platform.resumeUpstream)({ params: { name } }),
    async onSuccess(_, act) {
      toast(act === 'drain' ? upstreams.drained(name) : upstreams.resumed(name))
      await refresh()
    },
  })
  return (
    <>
      <span className="row-actions">
        <Button aria-label={upstreams.testOf(name)} busy={test.isPending} onClick={() => test.mutate()}>
          {upstreams.test}
        </Button>
        {source === 'node' ? null : (
          <Button
            aria-label={isStopped ? upstreams.resumeOf(name) : upstreams.drainOf(name)}
            busy={change.isPending}
            onClick={() => change.mutate(isStopped ? 'resume' : 'drain')}
          >
            {isStopped ? upstreams.resume : upstreams.drain}
          </Button>
        )}
        {source === 'added' ? (
          <Button aria-label={upstreams.editOf(name)} onClick={() => setEditing(true)}>
            {upstreams.edit}
          </Button>
        ) : null}
        {source === 'added' ? <RemoveUpstream name={name} onRemoved={refresh} /> : null}
      </span>
      {test.isError ? <ErrorNotice error={test.error} title={upstreams.notTested} /> : null}
      {change.isError ? <ErrorNotice error={change.error} title={upstreams.notChanged} /> : null}
      <Dialog isOpen={isEditing} title={upstreams.editTitle(name)} onClose={() => setEditing(false)}>
        {isEditing ? <UpstreamForm upstream={upstream} onClose={() => setEditing(false)} /> : null}
      </Dialog>
      <Dialog isOpen={failed !== null} title={upstreams.testFailed(name)} onClose={() => setFailed(null)}>
        <p>{failed === null ? '' : upstreams.faults[failed.fault]}</p>
        <p className="secondary small">
          {upstreams.details}{' '}
          <span lang="en" translate="no">
            {failed?.reason}
          </span>
        </p>
        <div className="actions">
          <Button onClick={() => setFailed(null)}>{shell.close}</Button>
        </div>
      </Dialog>
    </>
  )
}
