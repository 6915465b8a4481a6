import { useNavigate, useRouter } from '@tanstack/react-router'
import { useAddress } from './use-view.ts'

declare module '@tanstack/react-router' {
  interface HistoryState {
    /** The page before this one is the same without the dialog. */
    hasOpenedDialog?: boolean
  }
}

type OpenDialog = {
  isOpen: boolean
  /** The id of what it is about; empty if it needs none. */
  subject: string
  open(subject?: string): void
  close(): void
}

/**
 * A dialog that has an address: `?dialog=invite`, or `?dialog=remove&of=acc_…`. Going back closes it, and closing it goes
 * back, so that no step is left over to which one would return.
 */
export const useDialog = (name: string): OpenDialog => {
  const { dialog, of = '' } = useAddress()
  const navigate = useNavigate()
  const { history } = useRouter()
  const isOpen = dialog === name
  return {
    isOpen,
    subject: isOpen ? of : '',
    open(subject = '') {
      void navigate({
        to: '.',
        search: (last: object) => ({ ...last, dialog: name, of: subject }),
        state: { hasOpenedDialog: true },
        // One dialog follows another: going back leads to the page, not to the first of them.
        replace: dialog !== undefined,
      })
    },
    close() {
      if (!isOpen) return
      if (history.location.state.hasOpenedDialog) history.back()
      else void navigate({ to: '.', search: (last: object) => ({ ...last, dialog: '', of: '' }), replace: true })
    },
  }
}
