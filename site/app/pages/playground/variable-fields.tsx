import { lazy, Suspense } from 'react'
import { usePlayground } from './use-playground.ts'
import { usedNames } from './variable-rows.ts'

/** Most prompts have no variables. */
const VariableTable = lazy(async () => ({ default: (await import('./variable-table.tsx')).VariableTable }))

/** The variables of the prompt with their values, as soon as there is one. */
export const VariableFields = ({ onRunAll }: { onRunAll(): void }) => {
  const names = usedNames(usePlayground())
  if (names.length === 0) return null
  return (
    <Suspense fallback={null}>
      <VariableTable names={names} onRunAll={onRunAll} />
    </Suspense>
  )
}
