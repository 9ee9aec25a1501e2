import { useEffect, useState } from 'preact/hooks';
import { Failure } from '../contract/base/failure.ts';
import { Button, SecretForm } from './controls.tsx';
import { isKeyRefused, RequestError, type ServiceClient } from './service.ts';

/** The user's account at the server, and why a request was refused; at first what the server tells of itself. */
export function useAccount(service: ServiceClient) {
  const [credits, setCredits] = useState<number>();
  const [trouble, setTrouble] = useState('');
  const [needsKey, setNeedsKey] = useState(false);
  const [hasAdmin, setAdmin] = useState(false);
  const refused = (error: unknown) => {
    if (!(error instanceof RequestError || error instanceof Failure)) throw error;
    setTrouble(error.message);
    if (isKeyRefused(error)) setNeedsKey(true);
  };
  const askCredits = async () => {
    try {
      const account = await service.json('/api/v1/account');
      setCredits(Number(account.credits_remaining));
      setNeedsKey(false);
      setTrouble('');
      return true;
    } catch (error) {
      refused(error);
      return false;
    }
  };
  useEffect(() => {
    const begin = async () => {
      const about = await service.json('/page/about');
      setAdmin(about.admin === true);
      if (service.key === '' && typeof about.key === 'string') service.key = about.key;
      if (service.key === '') setNeedsKey(true);
      else await askCredits();
    };
    begin().catch(refused);
  }, []);
  return { credits, setCredits, trouble, setTrouble, needsKey, setNeedsKey, hasAdmin, refused, askCredits };
}

interface Props {
  readonly isOpen: boolean;
  readonly credits: number | undefined;
  readonly onKey: (key: string, isRemembered: boolean) => void;
  readonly onOpen: () => void;
}

/** Asks for an API key once; it is stored only if the user wants. */
export function KeyForm({ isOpen, credits, onKey, onOpen }: Props) {
  const [isRemembered, setRemembered] = useState(false);
  if (!isOpen) {
    return (
      <p class="credits">
        {credits !== undefined && `${credits} credits left `}
        <Button text="Change key" onClick={onOpen} />
      </p>
    );
  }
  return (
    <SecretForm class="key" label="API key" text="Use this key" onSend={(key) => onKey(key, isRemembered)}>
      <label>
        <input type="checkbox" checked={isRemembered} onChange={() => setRemembered(!isRemembered)} /> remember on this
        device
      </label>
    </SecretForm>
  );
}
