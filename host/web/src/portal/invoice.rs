//! An invoice as a file to print and to keep: one page of PDF with the fonts that every reader has.

use axum::extract::{Path, State};
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse as _, Response};
use model::billing::Billing;
use pdf_writer::{Content, Finish as _, Name, Pdf, Rect, Ref, Str};
use service::oauth::Authority;
use service::portal::invoices::Invoice;

use super::{broken, either, enter};
use crate::portal::page::not_found;

/// A4, in points.
const PAGE: (f32, f32) = (595.0, 842.0);
const LEFT: f32 = 60.0;
const RIGHT: f32 = 535.0;
const PLAIN: Name<'_> = Name(b"F1");
const BOLD: Name<'_> = Name(b"F2");
/// Lines of an invoice that fit on its page.
const MOST_LINES: usize = 24;

pub(super) async fn get(State(authority): State<Authority>, Path(file): Path<String>, headers: HeaderMap) -> Response {
    let shown = async {
        let inside = enter(&authority, &headers, "/credits").await?;
        let reference = file.strip_suffix(".pdf").unwrap_or_default();
        let found = authority.invoice(&inside.session.customer, reference).await.map_err(broken)?;
        let invoice = found.ok_or_else(|| not_found("invoice"))?;
        let bytes = write(&authority.config().billing, &invoice, &inside.session.email);
        let name = format!("attachment; filename=\"{reference}.pdf\"");
        let mut response = (StatusCode::OK, bytes).into_response();
        let headers = response.headers_mut();
        headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("application/pdf"));
        headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
        headers.insert(header::CONTENT_DISPOSITION, HeaderValue::from_str(&name).map_err(|_| not_found("invoice"))?);
        Ok(response)
    };
    either(shown.await)
}

/// The file.
fn write(billing: &Billing, invoice: &Invoice, buyer: &str) -> Vec<u8> {
    let [catalog, pages, page, text, plain, bold] = [1, 2, 3, 4, 5, 6].map(Ref::new);
    let mut pdf = Pdf::new();
    pdf.catalog(catalog).pages(pages);
    pdf.pages(pages).kids([page]).count(1);
    let mut sheet = pdf.page(page);
    sheet.media_box(Rect::new(0.0, 0.0, PAGE.0, PAGE.1)).parent(pages).contents(text);
    sheet.resources().fonts().pair(PLAIN, plain).pair(BOLD, bold);
    sheet.finish();
    for (font, name) in [(plain, Name(b"Helvetica")), (bold, Name(b"Helvetica-Bold"))] {
        pdf.type1_font(font).base_font(name).encoding_predefined(Name(b"WinAnsiEncoding"));
    }
    pdf.stream(text, &drawn(billing, invoice, buyer));
    pdf.finish()
}

fn drawn(billing: &Billing, invoice: &Invoice, buyer: &str) -> Vec<u8> {
    let mut sheet = Sheet { content: Content::new(), y: PAGE.1 - 70.0 };
    for line in &billing.seller {
        sheet.left(line, 10.0, PLAIN, 14.0);
    }
    sheet.y -= 24.0;
    let title = if invoice.is_pro_forma() { "Pro-forma invoice" } else { "Invoice" };
    sheet.left(title, 20.0, BOLD, 30.0);
    sheet.pair("Number", &invoice.reference);
    sheet.pair("Date", &invoice.issued_at.words());
    sheet.pair("For", buyer);
    if let Some(period) = &invoice.period {
        sheet.pair("Period", period);
    }
    if let Some(note) = &invoice.note {
        sheet.pair("Your reference", note);
    }
    if let Some(order) = &invoice.order {
        sheet.pair("Payment reference", order.as_str());
    }
    let state = match invoice.paid_at {
        Some(at) => format!("paid {}", at.words()),
        None => invoice.state().to_owned(),
    };
    sheet.pair("State", &state);
    sheet.y -= 16.0;
    sheet.rule();
    for line in invoice.lines.iter().take(MOST_LINES) {
        let words = format!("{} x {}  {}", line.quantity, amount(line.unit_cents), line.words);
        sheet.row(&words, &amount(line.amount_cents), PLAIN);
    }
    sheet.rule();
    let currency = |cents: i64| format!("{} {}", amount(cents), invoice.currency);
    sheet.row("Net", &currency(invoice.net), PLAIN);
    sheet.row(&format!("Tax {} %", invoice.tax_percent), &currency(invoice.tax), PLAIN);
    sheet.row("Total", &currency(invoice.net + invoice.tax), BOLD);
    sheet.y -= 20.0;
    if invoice.paid_at.is_none() {
        for line in &billing.payment {
            sheet.left(line, 10.0, PLAIN, 14.0);
        }
    }
    sheet.content.finish().to_vec()
}

/// What is drawn, from the top down.
struct Sheet {
    content: Content,
    y: f32,
}

impl Sheet {
    fn show(&mut self, words: &str, size: f32, font: Name<'_>, x: f32) {
        self.content.begin_text().set_font(font, size).next_line(x, self.y);
        self.content.show(Str(&latin(words))).end_text();
    }

    fn left(&mut self, words: &str, size: f32, font: Name<'_>, down: f32) {
        self.show(words, size, font, LEFT);
        self.y -= down;
    }

    fn pair(&mut self, name: &str, value: &str) {
        self.show(name, 10.0, PLAIN, LEFT);
        self.show(value, 10.0, BOLD, LEFT + 110.0);
        self.y -= 15.0;
    }

    fn row(&mut self, words: &str, number: &str, font: Name<'_>) {
        let cut: String = words.chars().take(80).collect();
        self.show(&cut, 10.0, font, LEFT);
        // Digits of these fonts are 556 thousandths wide, the point and the space 278.
        let narrow = number.chars().filter(|it| matches!(it, '.' | ' ')).count();
        let letters = number.chars().filter(char::is_ascii_uppercase).count();
        let digits = number.chars().count() - narrow - letters;
        let width = [(narrow, 2.78_f32), (letters, 6.9), (digits, 5.56)];
        let width: f32 = width.iter().flat_map(|(count, each)| std::iter::repeat_n(*each, *count)).sum();
        self.show(number, 10.0, font, RIGHT - width);
        self.y -= 16.0;
    }

    fn rule(&mut self) {
        self.content.set_line_width(0.5).move_to(LEFT, self.y + 6.0).line_to(RIGHT, self.y + 6.0).stroke();
        self.y -= 10.0;
    }
}

/// Hundredths as people write them.
pub(super) fn amount(cents: i64) -> String {
    let sign = if cents < 0 { "-" } else { "" };
    format!("{sign}{}.{:02}", cents.unsigned_abs() / 100, cents.unsigned_abs() % 100)
}

/// The bytes of WinAnsi for what it has in common with Unicode; anything else is a question mark.
fn latin(words: &str) -> Vec<u8> {
    let byte = |letter: char| match u32::from(letter) {
        code @ (0x20..=0x7e | 0xa0..=0xff) => u8::try_from(code).unwrap_or(b'?'),
        0x20ac => 0x80,
        0x2013 => 0x96,
        0x2019 => 0x92,
        _ => b'?',
    };
    words.chars().map(byte).collect()
}

#[cfg(test)]
mod tests {
    use model::clock::Moment;
    use service::portal::invoices::InvoiceLine;

    use super::*;

    #[test]
    fn an_invoice_is_one_page_of_pdf_with_its_number_its_lines_and_its_sum() {
        let line = InvoiceLine {
            words: "Credits, plan Büro €".to_owned(),
            quantity: 250,
            unit_cents: 90,
            amount_cents: 22_500,
        };
        let invoice = Invoice {
            reference: "inv_a(b)".to_owned(),
            order: None,
            period: None,
            lines: vec![line],
            currency: "EUR".to_owned(),
            net: 22_500,
            tax_percent: 19,
            tax: 4_275,
            note: Some("PO 7 \u{4e2d}".to_owned()),
            issued_at: Moment(1_790_553_600_000),
            paid_at: None,
            void_at: None,
        };
        let bytes = write(&Billing::default(), &invoice, "ann@example.com");
        assert!(bytes.starts_with(b"%PDF-"));
        let has = |part: &[u8]| bytes.windows(part.len()).any(|window| window == part);
        for part in
            [&b"(inv_a(b))"[..], b"ann@example.com", b"225.00", b"267.75 EUR", b"42FC726F2080", b"PO 7 ?", b"%%EOF"]
        {
            assert!(has(part), "{}", String::from_utf8_lossy(part));
        }
    }

    #[test]
    fn amounts_have_two_digits_and_their_sign() {
        assert_eq!([amount(0), amount(5), amount(-1_250)], ["0.00", "0.05", "-12.50"]);
    }
}
