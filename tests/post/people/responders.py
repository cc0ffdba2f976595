"""What programs write that answer every mail by themselves: absences, receipts, tickets, in five languages."""

from typing import Final

RESPONDERS: Final = (
    "I am out of the office until Monday.\n\nKind regards\nAnna",
    "Thank you for your message. We have received it and will answer within two days.",
    "This mailbox is not monitored. Please call us.",
    "Your ticket #{number} was opened at {time}. Please keep the number in the subject.",
    "Delivery is delayed.",
    "I am on vacation from 20 December to 3 January. For help write to boris@people.test.",
    "Hello,\n\nyes, I have your mail. I no longer work here; please write to info@people.test.\n\nStop mailing me.",
    "[{time}] Request {number}: received. Status: open. To end it, reply close.",
    "Ik ben afwezig tot 3 december.\n\nMet vriendelijke groet",
    "Bedankt voor uw bericht. We antwoorden binnen twee werkdagen.",
    "Dit is een automatisch antwoord. Ik ben met vakantie van 20 tot 27 december.",
    "Uw melding {number} is ontvangen om {time}.",
    "Ja, ik heb uw mail ontvangen. Voor hulp belt u 020 123 4567.",
    "Deze mailbox wordt niet gelezen. Nee, ook niet in het weekend.",
    "Jestem na urlopie. Odpowiem po powrocie.",
    "Dziękujemy za wiadomość. Odpowiemy w ciągu dwóch dni.",
    "To jest automatyczna odpowiedź. Jestem nieobecny od 20 do 27 grudnia.",
    "Zgłoszenie nr {number} przyjęto o {time}.",
    "Tak, otrzymałam Pani wiadomość. Pomoc: tel. 22 123 45 67.",
    "Ta skrzynka nie jest czytana.\nNie odpowiadaj na tę wiadomość.",
    "Я в отпуске до понедельника.",
    "Спасибо за ваше письмо. Мы ответим в течение двух дней.",
    "Это автоматический ответ. Меня не будет с 20 по 27 декабря.",
    "Ваше обращение №{number} зарегистрировано в {time}.",
    "Да, письмо получено. Нужна помощь? Звоните 8 800 123-45-67.",
    "אני בחופשה עד יום ראשון.",
    "תודה על פנייתך. נשיב בתוך יומיים.",
    "זוהי תשובה אוטומטית. איני במשרד מ-20 עד 27 בדצמבר.",
    "פנייה מספר {number} נפתחה בשעה {time}.",
    "כן, קיבלנו. לעזרה התקשרו 03-1234567.",
    "",
    "OK",
)
"""`{number}` and `{time}` are others in each letter."""

HEADERS: Final = ((), ("Auto-Submitted: auto-replied",), ("Precedence: bulk",), ("X-Autoreply: yes",))


def words_of(responder: str, count: int) -> str:
    """What a program writes when it answers for the so many-th time."""
    return responder.format(number=4711 + 3 * count, time=f"{8 + count % 12:02}:{7 * count % 60:02}:{count % 60:02}")
