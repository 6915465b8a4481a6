/** Two strands, over and under, one rung. */
export const Mark = ({ size }: { size: number }) => (
  <svg width={size} height={size} viewBox="0 0 16 16" aria-hidden="true">
    <g fill="none" strokeWidth="2" strokeLinecap="round">
      <path stroke="var(--received)" d="M3.5 1.2C3.5 4.8 12.5 4.4 12.5 8" />
      <path stroke="var(--sent)" d="M12.5 1.2C12.5 4.8 3.5 4.4 3.5 8s9 3.2 9 6.8" />
      <path stroke="var(--received)" d="M12.5 8c0 3.6-9 3.2-9 6.8" />
      <path stroke="var(--sent)" strokeWidth="1.6" d="M6.6 8h2.8" />
    </g>
  </svg>
)

/** A piece of both strands beside the current page's name. */
export const Twist = () => (
  <svg className="current-mark" width="8" height="28" viewBox="0 0 8 28" aria-hidden="true">
    <g fill="none" strokeWidth="1.75" strokeLinecap="round">
      <path stroke="var(--received)" d="M1.5 1.5c0 6 5 6.5 5 12.5" />
      <path stroke="var(--sent)" d="M6.5 1.5c0 6-5 6.5-5 12.5s5 6.5 5 12.5" />
      <path stroke="var(--received)" d="M6.5 14c0 6-5 6.5-5 12.5" />
    </g>
  </svg>
)
