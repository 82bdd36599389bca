// What makes the portal's pages better where scripts run; every page does without.

// A button that copies, on every block of code.
for (const block of document.querySelectorAll('.code')) {
  const button = block.querySelector('.copy');
  if (!button || !navigator.clipboard) continue;
  button.hidden = false;
  button.addEventListener('click', async () => {
    await navigator.clipboard.writeText(block.querySelector('pre').textContent);
    button.textContent = 'Copied';
    setTimeout(() => { button.textContent = 'Copy'; }, 2000);
  });
}

// Parts that say `data-live` are fetched anew every so many seconds, until they no longer say so.
const renew = async () => {
  const part = document.querySelector('[data-live]');
  if (!part) return;
  // Whoever is about to press something there is not disturbed.
  if (!document.hidden && !part.contains(document.activeElement)) {
    try {
      const answer = await fetch(location.href, { headers: { accept: 'text/html' } });
      const page = new DOMParser().parseFromString(await answer.text(), 'text/html');
      const fresh = page.getElementById(part.id);
      if (answer.redirected || !fresh) return location.reload();
      part.replaceWith(document.adoptNode(fresh));
    } catch {
      // The host is away for a moment; the page says what it last knew.
    }
  }
  setTimeout(renew, 2000);
};
if (document.querySelector('[data-live]')) setTimeout(renew, 2000);
