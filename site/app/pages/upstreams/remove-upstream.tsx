import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { useWords } from '../../admin-words-context.tsx'
import { usePlatform } from '../../app-state.ts'
import { Button } from '../../components/button.tsx'
import { Dialog } from '../../components/dialog.tsx'
import { ErrorNotice } from '../../components/error-notice.tsx'
import { useToast } from '../../components/toasts.tsx'

type RemoveUpstreamProps = { name: string; onRemoved(): Promise<void> }

export const RemoveUpstream = ({ name, onRemoved }: RemoveUpstreamProps) => {
  const platform = usePlatform()
  const { shell } = useWords()
  const { upstreams } = useWords()
  const toast = useToast()
  const [isAsking, setAsking] = useState(false)
  const remove = useMutation({
    mutationFn: () => platform.removeUpstream({ params: { name } }),
    async onSuccess() {
      setAsking(false)
      toast(upstreams.removed(name))
      await onRemoved()
    },
  })
  return (
    <>
      <Button aria-label={upstreams.removeOf(name)} onClick={() => setAsking(true)}>
        {upstreams.remove}
      </Button>
      <Dialog isOpen={isAsking} title={upstreams.removeTitle(name)} onClose={() => setAsking(false)}>
        <p>{upstreams.removeText}</p>
        {remove.isError ? <ErrorNotice error={remove.error} title={upstreams.notRemoved} /> : null}
        <div className="actions">
          <Button onClick={() => setAsking(false)}>{shell.cancel}</Button>
          <Button look="danger" busy={remove.isPending} onClick={() => remove.mutate()}>
            {upstreams.remove}
          </Button>
        </div>
      </Dialog>
    </>
  )
}
