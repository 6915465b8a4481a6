import { useWords } from '../../words-context.tsx'

/** The filter and the table in grey, with the same heights, so that nothing moves when the keys come. */
export const KeysSkeleton = () => {
  const { shell } = useWords()
  return (
    <div role="status" aria-label={shell.loading}>
      <div className="keys-filter">
        <div className="search">
          <div className="bone bar" />
        </div>
      </div>
      <div className="keys-bones">
        {[0, 1, 2].map((row) => (
          <div key={row}>
            <div className="bone" />
          </div>
        ))}
      </div>
    </div>
  )
}
