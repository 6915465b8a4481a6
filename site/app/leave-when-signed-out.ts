/**
 * Browsers keep pages for the Back button as they were. One that is shown again after somebody signed out must not show what it
 * showed then: it is loaded again, and leads to the sign-in page.
 */
export const leaveWhenSignedOut = (): void =>
  addEventListener('pageshow', ({ persisted }) => {
    if (persisted && !/(^|; )(__Host-)?helix_signed_in=1(;|$)/.test(document.cookie)) location.reload()
  })
