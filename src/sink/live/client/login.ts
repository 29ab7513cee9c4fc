import { byId, say } from './dom.ts';

/** Gives the token to the server, from the address's fragment, which browsers keep to themselves, or from the form. */
export function login(): void {
  const give = async (token: string): Promise<void> => {
    const { status } = await fetch('/login', { headers: { Authorization: `Bearer ${token}` } });
    if (status === 204) location.reload();
    else say(byId('login-problem'), 'This is not the token.');
  };
  const given = /^#token=(.+)$/.exec(location.hash)?.[1];
  if (given !== undefined) {
    // Out of the address bar and the history before anything else.
    history.replaceState(null, '', location.pathname);
    void give(decodeURIComponent(given)).catch(unreachable);
  }
  byId('login').addEventListener('submit', event => {
    event.preventDefault();
    void give(byId<HTMLInputElement>('token').value).catch(unreachable);
  });
}

const unreachable = (): void => say(byId('login-problem'), 'The server cannot be reached; try again.');
