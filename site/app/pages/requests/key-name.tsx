import { useQuery } from '@tanstack/react-query'
import { usePlatform } from '../../app-state.ts'
import { useWords } from '../../words-context.tsx'
import { keysQuery } from '../keys/keys-query.ts'

/** Whose request it was, by the name that the organisation gave the key. */
export const KeyName = ({ keyId }: { keyId: string | null }) => {
  const { shell } = useWords()
  const { data } = useQuery(keysQuery(usePlatform()))
  if (keyId === null) return shell.playground
  const known = data?.data.find(({ id }) => id === keyId)
  return (
    <>
      {known?.name ?? shell.key} <span className="muted mono nowrap">…{known?.lastFour ?? keyId.slice(-4)}</span>
    </>
  )
}
