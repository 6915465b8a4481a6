import { lazy, Suspense } from 'react'
import type { NewKey } from '../../../platform/types.ts'
import { useWords } from '../../words-context.tsx'
import { CreateKeyForm } from './create-key-form.tsx'
import { SecretDialog } from './secret-dialog.tsx'

const FirstCall = lazy(async () => ({ default: (await import('./first-call.tsx')).FirstCall }))

/** A name, an expiry and what else can be said of a key, then the key itself. */
export const CreateKey = ({ isOpen, onClose }: { isOpen: boolean; onClose(): void }) => {
  const { keys } = useWords()
  return (
    <SecretDialog<NewKey>
      isOpen={isOpen}
      title={keys.createTitle}
      onClose={onClose}
      form={(onCreated, close) => <CreateKeyForm onCreated={onCreated} onClose={close} />}
      more={(made, onCopied) =>
        made.scopes.includes('chat') ? (
          <Suspense fallback={null}>
            <FirstCall newKey={made} onCopied={onCopied} />
          </Suspense>
        ) : null
      }
      ready={({ name }) => ({ title: keys.createdTitle(name), text: keys.createdText })}
    />
  )
}
